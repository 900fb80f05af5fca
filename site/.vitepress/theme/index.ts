import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { diagram } from './diagram.js';
import MovingPicture from './MovingPicture.vue';
import Playground from './Playground.vue';
// oxlint-disable-next-line import/no-unassigned-import -- a style has nothing to assign
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('Diagram', diagram);
    app.component('MovingPicture', MovingPicture);
    app.component('Playground', Playground);
  },
} satisfies Theme;
