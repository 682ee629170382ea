/** The name of the private socket in the data folder. */
export const LOCAL_SOCKET = "local";
