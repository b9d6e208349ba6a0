// Corruption! after its end: both villages as they stand, what is missing in pale.
import { end } from "./end.js";
import { wholeVillage } from "./corruption/village.js";

end(({ content }, observation, seat) => wholeVillage(content, observation.teams[seat], seat, document.documentElement.dir === "rtl"));
