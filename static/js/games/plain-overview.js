// The projector with several matches of a game that draws nothing of its own yet.
import { overview } from "./overview.js";
import { onlookers } from "./plain/onlookers.js";

overview(onlookers);
