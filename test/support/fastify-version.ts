import { fastify } from 'fastify';

/** True for this version of Fastify, such as `5.12.1`, and for later ones: `npm run tool -- matrix` runs specs on all that are supported. */
export function isFastifyFrom(version: string): boolean {
  const [own, other] = [fastify().version, version].map((each) => each.split('.').map(Number));
  const place = own!.findIndex((part, index) => part !== other![index]);
  return place < 0 || own![place]! > other![place]!;
}
