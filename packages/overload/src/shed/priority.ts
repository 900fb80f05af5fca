/** Which requests go first when there is too little. `critical` requests are never refused because of overload. */
export type Priority = 'critical' | 'normal' | 'sheddable';

export const PRIORITIES: readonly Priority[] = ['critical', 'normal', 'sheddable'];

export function isPriority(value: unknown): value is Priority {
  return PRIORITIES.includes(value as Priority);
}
