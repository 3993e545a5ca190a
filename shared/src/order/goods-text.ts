/** "310 เพชร × 3"; of one piece only what it is. */
export const goodsText = (packageName: string, quantity: number): string =>
  quantity === 1 ? packageName : `${packageName} × ${quantity}`
