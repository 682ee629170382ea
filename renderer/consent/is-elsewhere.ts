/** Whether something on the page that is not in this list has the keyboard. */
export const isElsewhere = (list: Element): boolean =>
  document.activeElement !== null &&
  document.activeElement !== document.body &&
  !list.contains(document.activeElement);
