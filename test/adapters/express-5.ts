import express from 'express';
import { expressAdapter } from './express.js';

export const express5 = expressAdapter('Express 5', express);
