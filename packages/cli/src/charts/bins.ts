/** Bins of the pictures at most. */
const BINS = 240;
const WIDTHS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400];

/** The bins of a picture over time. @param duration milliseconds. @returns the milliseconds of one, and how many they are */
export function binsOf(duration: number): { readonly width: number; readonly bins: number } {
  const width =
    WIDTHS.map((seconds) => seconds * 1e3).find((each) => duration / each <= BINS) ?? Math.ceil(duration / BINS);
  return { width, bins: Math.ceil(duration / width) };
}
