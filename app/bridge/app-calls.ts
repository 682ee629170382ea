import Type from "typebox";
import { call, closed } from "./call-shape.ts";
import { APP_IDS, APP_PARTS, type AppChange, type AppView } from "./connected-apps.ts";

const place = {
  app_id: Type.Enum(APP_IDS),
  part: Type.Enum(APP_PARTS),
  connect: Type.Boolean(),
} as const;

/** The calls about other programs' configurations: a part of `CALLS`. */
export const APP_CALLS = {
  "apps.list": call<readonly AppView[]>()(Type.Object({}, closed)),
  /**
   * What connecting or, with `connect` false, taking our entry out would write.
   * @throws `not_found`, `config_unreadable`, `config_not_editable`, `path_unusable`
   */
  "apps.change": call<AppChange>()(Type.Object(place, closed)),
  /**
   * Writes exactly the change that was shown.
   * @throws `not_found`, `config_unreadable`, `config_not_editable`, `path_unusable`, `config_changed`, `file_unwritable`
   */
  "apps.apply": call<null>()(
    Type.Object(
      {
        ...place,
        digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      },
      closed,
    ),
  ),
} as const;
