/** A time of day in UTC, with its date if it is on another day than the time of reading: `14:03:09.000 UTC`. */
export function showMoment(milliseconds: number, readAt: number): string {
  const [day, time] = parts(milliseconds);
  const [today] = parts(readAt);
  return `${day === today ? '' : `${day} `}${time} UTC`;
}

function parts(milliseconds: number): readonly [string, string] {
  const [day = '', time = ''] = new Date(milliseconds).toISOString().split('T');
  return [day, time.replace('Z', '')];
}
