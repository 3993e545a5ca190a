ALTER TABLE "statement_file" ADD COLUMN "needs_second" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "statement_file" ADD COLUMN "confirmed_by" text;--> statement-breakpoint
ALTER TABLE "statement_file" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "statement_file_waiting" ON "statement_file" USING btree ("imported_at") WHERE "statement_file"."needs_second" AND "statement_file"."confirmed_by" IS NULL;