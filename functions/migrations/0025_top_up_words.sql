CREATE INDEX "top_up_words" ON "top_up" USING gin ("no" gin_trgm_ops);
