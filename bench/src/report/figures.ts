// Formats of figures. A missing figure is empty text.

export function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en').replaceAll(',', ' ') : '';
}

export function fine(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 1) : '';
}

export function times(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '';
}

export function percent(part: number): string {
  return Number.isFinite(part) ? `${Math.round(part * 100)} %` : '';
}
