/**
 * How much a page counts in the search: guides most, lists of figures and exports least. It is sent to the browser as
 * text, so it can use nothing of this file.
 *
 * @param {string} page
 */
export function searchWeight(page) {
  // Their tables name every option and limiter.
  if (page.includes('/guide/migrate-from') || page.includes('/guide/compare')) return 1;
  if (page.includes('/guide/')) return 3;
  return /\/(api|benchmarks|decisions|changes|contributing)\b/.test(page) ? 0.2 : 1;
}
