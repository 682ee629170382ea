import { Button, type ButtonProps } from "react-aria-components";

/** Line drawings on a 16 × 16 grid. */
const DRAWINGS = {
  conversations: "M2.5 3h11v7.5h-6L4.5 13v-2.5h-2zM5 6h6M5 8h4",
  group:
    "M6 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M2 13c0-2.5 1.5-4 4-4s4 1.5 4 4M10.5 3.7a2 2 0 0 1 0 3.6M11.5 9.3c1.6.5 2.5 1.8 2.5 3.7",
  send: "M2.5 8 13.5 3l-3 10.5-3-4zM7.5 9.5 13.5 3",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4",
  waiting: "M8 4.5V8l2.3 1.6",
  cancelled: "M5 5l6 6M11 5l-6 6",
  home: "M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5",
  agents:
    "M4 6.5h8v6H4zM8 6.5V4M8 4a1 1 0 1 0 0-2 1 1 0 0 0 0 2M6.5 9.2v.6M9.5 9.2v.6M2 8.5v2M14 8.5v2",
  permissions: "M5.5 9.5a3 3 0 1 1 2.2-5 3 3 0 0 1 .3 3.6l5.5 5.4M11.5 11.5l1.5-1.5",
  activity: "M3 4h10M3 8h10M3 12h6",
  settings: "M3 5h4M11 5h2M9 3.5v3M3 11h2M9 11h4M7 9.5v3",
  running: "M4 8h.1M8 8h.1M12 8h.1",
  ok: "M4 8.5l2.7 2.7L12 5.5",
  denied: "M4 8h8",
  interrupted: "M8 3.5v9M5 6.5l3-3M11 9.5l-3 3",
  error: "M8 3.5v5.5M8 12v.1",
  low: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M5.5 8.2l1.8 1.8 3.2-3.6",
  medium: "M8 2 2.5 8 8 14l5.5-6zM8 5.5v3M8 10.4v.2",
  high: "M8 2.2 1.8 13h12.4zM8 6.3v3.2M8 11.2v.2",
  program: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.3h3",
  folder: "M2 4.5h4l1.5 1.5H14v6.5H2z",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  unplugged: "M6 3v3M10 3v3M4.5 6h7v2.5a3.5 3.5 0 0 1-7 0zM8 12v2M2 2l12 12",
  note: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.3v3.5M8 5.2v.2",
  microphone:
    "M8 9.5a2 2 0 0 0 2-2V4a2 2 0 1 0-4 0v3.5a2 2 0 0 0 2 2M3.8 7.5a4.2 4.2 0 0 0 8.4 0M8 11.7V14",
  play: "M5 3.5v9l7.5-4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  aside: "M2.5 3h11v10h-11zM9.5 3v10",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  more: "M3.5 7.4v1.2M2.9 8h1.2M8 7.4v1.2M7.4 8h1.2M12.5 7.4v1.2M11.9 8h1.2",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.7 10.7 14 14",
  unfold: "M4 6.5 8 10.5 12 6.5",
  back: "M10 3.5 5.5 8 10 12.5",
  forward: "M6 3.5 10.5 8 6 12.5",
  calendar: "M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3",
} as const;
export type IconName = keyof typeof DRAWINGS;

/** Decoration beside words, so hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={DRAWINGS[name]} />
    </svg>
  );
}

/** A button without words: its name is its label. */
export const IconButton = ({ icon, ...button }: ButtonProps & { readonly icon: IconName }) => (
  <Button {...button}>
    <Icon name={icon} />
  </Button>
);
