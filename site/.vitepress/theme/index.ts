import { withBase, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import { diagram } from './diagram.js';
import MovingPicture from './MovingPicture.vue';
import Playground from './Playground.vue';
// oxlint-disable-next-line import/no-unassigned-import -- a style has nothing to assign
import './style.css';

/** The page of VitePress has no `main`, and a link whose name is not its text. */
const notFound = () =>
  h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'There is no such page'),
    h('p', ['The search, or the list of ', h('a', { href: withBase('/pages.html') }, 'all pages'), ', may have it.']),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
  enhanceApp: ({ app }) => {
    app.component('Diagram', diagram);
    app.component('MovingPicture', MovingPicture);
    app.component('Playground', Playground);
  },
} satisfies Theme;
