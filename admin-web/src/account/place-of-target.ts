import type { LineTarget } from '@shop/shared/statement/statement.ts'

/** The address of an order or a top-up. */
export const placeOfTarget = ({ kind, id, no }: LineTarget): string =>
  kind === 'order' ? `/management/details/${no}` : `/management/wallet?status=all&tx=${id}`
