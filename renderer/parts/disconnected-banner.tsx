import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

export function DisconnectedBanner() {
  const { t } = useTexts();
  const connection = useShown((shown) => shown.connection);
  const text = {
    connecting: null,
    connected: null,
    refused: null,
    removed: null,
    disconnected: t("connection.disconnected"),
    given_up: t("connection.given_up"),
  }[connection];
  return (
    // Announced and visible even beside a dialog.
    <div role="status" data-react-aria-top-layer="true">
      {text === null ? null : (
        <p className="disconnected" data-testid="disconnected-banner">
          <Icon name="unplugged" />
          {text}
        </p>
      )}
    </div>
  );
}
