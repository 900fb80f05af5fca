import { fair } from '@sluice/overload/fair';
import { lines } from '@sluice/overload/line';
import { quotas } from '@sluice/quotas';

/** What the texts of a file of policies may stand for. */
export const FILE_FEATURES = [quotas, fair, lines] as const;
