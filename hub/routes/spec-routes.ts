import { document, type Route, route } from "../rest/route.ts";
import { asyncApi } from "../spec/asyncapi.ts";
import { openApi } from "../spec/openapi.ts";

/** The hub describes itself: these routes and all the others, and the frames. */
export function specRoutes(others: readonly Route[]): readonly Route[] {
  const routes: readonly Route[] = [
    ...others,
    route("GET", "/openapi.json", "none", () => document(openApi(routes))),
    route("GET", "/asyncapi.json", "none", () => document(asyncApi())),
  ];
  return routes;
}
