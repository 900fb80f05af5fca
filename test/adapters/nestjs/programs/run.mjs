import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import * as express from '@nestjs/platform-express';
import * as fastify from '@nestjs/platform-fastify';
import * as sluice from '@sluice/nestjs';

import { zoo } from './zoo.mjs';

await zoo({ common, core, express, fastify, sluice });
