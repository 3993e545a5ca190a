import '@shop/web/variables.ts'
