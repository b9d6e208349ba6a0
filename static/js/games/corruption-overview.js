// Several matches of Corruption! on the projector.
import { overview } from "./overview.js";
import { onlookers } from "./corruption/onlookers.js";

overview(onlookers);
