declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  // oxlint-disable-next-line import/no-default-export -- a component has no other export
  export default component;
}
