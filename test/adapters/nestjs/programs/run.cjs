const packages = {
  common: require('@nestjs/common'),
  core: require('@nestjs/core'),
  express: require('@nestjs/platform-express'),
  fastify: require('@nestjs/platform-fastify'),
  sluice: require('@sluice/nestjs'),
};

void import('./zoo.mjs').then(({ zoo }) => zoo(packages));
