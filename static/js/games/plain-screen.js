// The board for all of a game that draws nothing of its own yet.
import { show } from "./screen.js";
import { onlookers } from "./plain/onlookers.js";

show(onlookers);
