import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { diagram } from './diagram.js';
// oxlint-disable-next-line import/no-unassigned-import -- a style has nothing to assign
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Diagram', diagram),
} satisfies Theme;
