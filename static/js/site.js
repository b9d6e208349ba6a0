// What every page can do. Each module finds its elements by data-* attributes.
import { dialogs } from "./components/dialogs.js";
import { menus } from "./components/menus.js";
import { refusals } from "./components/refusals.js";
import { ruleLinks } from "./components/rules.js";
import { themes } from "./components/themes.js";
import { sending } from "./components/sending.js";

dialogs(document);
menus(document);
refusals(document);
ruleLinks(document);
themes(document);
sending(document);
