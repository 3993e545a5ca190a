// What an order is about in money, as SQL. Nothing else adds up an order's columns; `house.test` sees to it.

/** What an order is worth: its price and the satang that tell its transfer from others; as the index `orders_total` has it. */
export const worthSql = (o: string): string => `(${o}.price_satang + ${o}.tail_satang)`
/** What is to come for an order beside shop credit; as the index `orders_due` has it. */
export const dueSql = (o: string): string => `(${o}.price_satang + ${o}.tail_satang - ${o}.credit_satang)`

/** The same of an order `o`. */
export const WORTH = worthSql('o')
export const DUE = dueSql('o')
