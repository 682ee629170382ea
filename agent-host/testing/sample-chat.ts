/** The first request in the API's description. */
export const SAMPLE = {
  model: "anthropic/claude-3-7-sonnet-20250219",
  messages: [{ role: "user", content: "候选人问:你们公司地址在哪?" }],
  allowedTools: ["zhipin_reply_generator"],
  context: {
    preferredBrand: "蜀地源冒菜",
    configData: {
      city: "上海",
      brands: { 蜀地源冒菜: { address: "上海市浦东新区XX路XX号" } },
    },
    replyPrompts: { location_inquiry: "友好地告知公司地址,并询问是否需要路线指引" },
  },
};
