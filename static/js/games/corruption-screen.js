// Corruption! on the projector.
import { show } from "./screen.js";
import { onlookers } from "./corruption/onlookers.js";

show(onlookers);
