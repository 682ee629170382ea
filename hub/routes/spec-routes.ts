import { document, type Route } from "../rest/route.ts";
import { asyncApi } from "../spec/asyncapi.ts";
import { openApi } from "../spec/openapi.ts";

/** The hub describes itself: these routes and all the others, and the frames. */
export function specRoutes(others: readonly Route[]): readonly Route[] {
  const routes: readonly Route[] = [
    ...others,
    {
      method: "GET",
      path: "/openapi.json",
      auth: "none",
      handle: () => document(openApi(routes)),
    },
    {
      method: "GET",
      path: "/asyncapi.json",
      auth: "none",
      handle: () => document(asyncApi()),
    },
  ];
  return routes;
}
