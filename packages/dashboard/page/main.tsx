import { render } from 'preact';
import { start } from './feed.ts';
import { Page } from './page.tsx';

render(<Page />, document.body);
start();
