/**
 * What the routes of the dashboard say to the page and to `sluice top` and `tail`. Ages and durations are milliseconds;
 * there is no time of day, because clocks of browsers differ from those of servers. `null` stands for Infinity in JSON.
 */
/** The version of the messages. A page of another version loads itself again. */
export const VERSION = 1;
