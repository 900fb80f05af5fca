import { render } from 'preact';

function Page() {
  return <h1>Sluice</h1>;
}

render(<Page />, document.body);
