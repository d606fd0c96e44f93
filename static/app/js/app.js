// The one entry: everything the pages do beyond forms and links. Without it they work all the same.
import "./fragments.js";
import "./composer.js";
import "./attachments.js";
import "./card.js";
import "./dock.js";
import "./message-draft.js";
import "./copy.js";
import "./plan-card.js";
import "./keys.js";
import { followInbox } from "./inbox.js";
import { follow } from "./live.js";
import { drawMath } from "./math.js";
import { keepPanel } from "./plan-panel.js";
import { keepSidebar } from "./sidebar.js";
import { showTimes } from "./times.js";
import { stickToNewest } from "./timeline.js";
import { keepReceipt } from "./words.js";

showTimes(document);
drawMath(document);
stickToNewest();
keepPanel();
keepSidebar();
follow();
keepReceipt();
followInbox();
