/** What the shop is called, to customers and on paper. */
export const SHOP_NAME = 'คราม เติมเกม'
