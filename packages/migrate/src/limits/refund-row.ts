import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isIn, nameOf, returnedBy, type Syntax } from '../source/syntax.js';
import { edited, type Edit } from '../source/edit.js';
import { REFUNDS } from './differences.js';
import type { GivenOption, LimitDraft, Row } from './limit-draft.js';

export interface RefundOptions {
  /** Our parameter for the request, from theirs. */
  readonly first: (name: string) => string;
  /** True for the status of the response in their function. @default `response.statusCode` of the second parameter */
  readonly isStatus?: (file: SourceFile, node: Syntax, fn: Syntax) => boolean;
}

/** Which answers are not counted. */
export function refundRow(options: RefundOptions): Row {
  return {
    options: ['skipSuccessfulRequests', 'skipFailedRequests', 'requestWasSuccessful'],
    read: (draft, { skipSuccessfulRequests, skipFailedRequests, requestWasSuccessful }) => {
      const successes = isOn(draft, skipSuccessfulRequests);
      const failures = isOn(draft, skipFailedRequests);
      if (!successes && !failures) return;
      draft.differs(REFUNDS);
      if (successes && failures) return draft.write('refundWhen', '() => true');
      const text = requestWasSuccessful
        ? refundText(draft, requestWasSuccessful, successes, options)
        : `(status) => status ${successes ? '<' : '>='} 400`;
      if (text !== undefined) draft.write('refundWhen', text);
    },
  };
}

function isOn(draft: LimitDraft, given: GivenOption | undefined): boolean {
  const value = given && constantOf(draft.file, given.value);
  if (given && typeof value !== 'boolean') draft.refuse(given.property, `${given.name} is no flag`, 'write refundWhen');
  return value === true;
}

const HAND = 'write refundWhen: (status, request) => …, which returns true to give back';

/** Their function of request and response, as one of status and request. */
function refundText(
  draft: LimitDraft,
  { name, value }: GivenOption,
  isKept: boolean,
  options: RefundOptions,
): string | undefined {
  const { file } = draft;
  const { first, isStatus = isStatusCode } = options;
  const returned = value.type === 'ArrowFunctionExpression' && !value.async ? returnedBy(value) : undefined;
  const statuses = returned
    ? file.nodesOf('MemberExpression').filter((node) => isIn(node, returned) && isStatus(file, node, value))
    : [];
  const [request, response] = value.params as Syntax[];
  const reads = (parameter: Syntax | undefined) =>
    parameter ? file.referencesIn(returned!, bare(parameter).name).length : 0;
  const isRead = returned && (isStatus === isStatusCode ? reads(response) === statuses.length : true);
  if (!isRead || file.referencesIn(returned, 'status').length > 0 || draft.carry(returned) === undefined) {
    draft.refuse(value, `${name} reads more than the status and the request`, HAND);
    return undefined;
  }
  const edits: Edit[] = statuses.map(({ start, end }) => ({ start, end, text: 'status' }));
  const text = edited(file.text, edits, returned.start, returned.end);
  const own =
    request && reads(request) > (isStatus === isStatusCode ? 0 : statuses.length) ? `, ${first(request.name)}` : '';
  return `(${statuses.length > 0 ? 'status' : '_status'}${own}) => ${isKept ? text : `!(${text})`}`;
}

function isStatusCode(_file: SourceFile, node: Syntax, fn: Syntax): boolean {
  return nameOf(node) === 'statusCode' && node.object.name !== undefined && node.object.name === fn.params[1]?.name;
}
