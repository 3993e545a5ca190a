/** SQL of what is to come for an order beside shop credit; as the index `orders_due` has it. */
export const dueSql = (o: string): string => `(${o}.price_satang + ${o}.tail_satang - ${o}.credit_satang)`
/** The same of an order `o`. */
export const DUE = dueSql('o')
