// After the end of a game that draws nothing of its own.
import { nothing } from "../../vendor/lit.js";
import { end } from "./end.js";

end(() => nothing);
