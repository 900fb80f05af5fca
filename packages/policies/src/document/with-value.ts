import { ConfigError } from '@sluice/core';
import { isMap, isSeq, parseDocument } from 'yaml';

/** The word that a change begins with. */
const ASSIGNMENT = /^([^.=]+)\.([^=]+)\.(\w+)=(.*)$/s;

/**
 * A text with another value of one option of a tier, and with its comments.
 *
 * @param assignment `api.tenant-hour.enforce=50%`: limiter, tier, option, value
 * @throws ConfigError for another form, and for a tier that there is not
 */
export function withValue(text: string, assignment: string): string {
  const [, limiter = '', tier = '', option = '', value = ''] = ASSIGNMENT.exec(assignment) ?? [];
  if (option === '')
    throw invalid('must be LIMITER.TIER.OPTION=VALUE, such as api.tenant-hour.enforce=50%', assignment);
  const document = parseDocument(text, { prettyErrors: false });
  const tiers = document.getIn(['limiters', limiter, 'tiers']);
  const items = isSeq(tiers) ? tiers.items : [];
  const index = items.findIndex((each) => isMap(each) && each.get('name') === tier);
  if (index === -1) throw invalid(`names a tier that there is not: "${tier}" of "${limiter}"`, assignment);
  const path = ['limiters', limiter, 'tiers', index, option];
  if (value === '') document.deleteIn(path);
  else document.setIn(path, document.createNode(parseDocument(value).toJS(), { flow: true }));
  return String(document);
}

function invalid(rule: string, assignment: string): ConfigError {
  return new ConfigError('OPTION_INVALID', 'set', assignment, `--set ${rule}, got ${JSON.stringify(assignment)}`);
}
