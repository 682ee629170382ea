import "./tokens.css";
import "./base.css";
import "./controls.css";
import "./window.css";
import "./screens.css";
import "./aria.css";
import "./activity.css";
import "./consent.css";
