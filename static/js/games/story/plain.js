// The story of a game that draws nothing of its own: sentences and figures.
import { tell } from "./story.js";

tell(() => ({ turn: (observation) => observation.turn ?? null }));
