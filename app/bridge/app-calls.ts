import Type from "typebox";
import { APP_IDS, type AppChange, type AppView } from "./app-views.ts";
import { call, closed } from "./call-shape.ts";

const AppId = Type.Enum(APP_IDS);

/** The calls about other programs' configurations: a part of `CALLS`. */
export const APP_CALLS = {
  "apps.list": call<readonly AppView[]>()(Type.Object({}, closed)),
  /**
   * What connecting or, with `connect` false, taking our entry out would write.
   * @throws `not_found`, `config_unreadable`
   */
  "apps.change": call<AppChange>()(Type.Object({ app_id: AppId, connect: Type.Boolean() }, closed)),
  /**
   * Writes exactly the change that was shown.
   * @throws `not_found`, `config_unreadable`, `config_changed`, `file_unwritable`
   */
  "apps.apply": call<null>()(
    Type.Object(
      {
        app_id: AppId,
        connect: Type.Boolean(),
        digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      },
      closed,
    ),
  ),
} as const;
