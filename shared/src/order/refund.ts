/** Within this many days the shop sends the money of a refunded order to its buyer, as it tells them. */
export const REFUND_DAYS = 3
