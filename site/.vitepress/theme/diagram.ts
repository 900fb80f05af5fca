import { defineComponent, h, onMounted, ref } from 'vue';

let diagrams = 0;

/** A diagram that mermaid draws in the browser. Shows its source until then. */
export const diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const drawn = ref('');
    onMounted(async () => {
      const { default: mermaid } = await import('mermaid');
      const dark = document.documentElement.classList.contains('dark');
      mermaid.initialize({
        startOnLoad: false,
        theme: dark ? 'dark' : 'neutral',
        // The default is too bright for the text on it.
        themeVariables: dark ? { edgeLabelBackground: '#333333' } : {},
      });
      const source = decodeURIComponent(props.source);
      drawn.value = (await mermaid.render(`diagram-${(diagrams += 1)}`, source)).svg;
    });
    return () =>
      drawn.value === ''
        ? h('pre', { class: 'diagram', tabindex: 0 }, decodeURIComponent(props.source))
        : h('div', { class: 'diagram', role: 'img', tabindex: 0, 'aria-label': 'Diagram', innerHTML: drawn.value });
  },
});
