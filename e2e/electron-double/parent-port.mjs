// In a utility process: Electron's port to the program, made of Node's own channel. As there, it keeps
// the process alive only once somebody listens.
process.parentPort = {
  on(event, listener) {
    process.on(event, (data) => listener({ data }));
    process.once("disconnect", () => process.exit(0));
    return this;
  },
  postMessage: (message) => void process.send?.(message),
};
