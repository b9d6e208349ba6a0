// Ids of requests. A page on a school's own network is often no secure context,
// where crypto.randomUUID is missing; crypto.getRandomValues always is there.

export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
