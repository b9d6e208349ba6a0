// Keeps the device awake while its page is looked at, where the browser offers that: a phone that locks in
// the middle of a turn is away for its team. On plain http browsers offer nothing, and nothing happens.
export const stayAwake = () => {
  const ask = async () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch (error) {
      console.info("The screen may go dark.", error); // a battery saver says no
    }
  };
  ask();
  document.addEventListener("visibilitychange", ask); // the lock ends whenever the page is hidden
};
