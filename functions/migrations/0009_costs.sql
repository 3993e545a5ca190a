ALTER TABLE "package" ADD COLUMN "cost_satang" bigint;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "supplier_sku" text;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "is_automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "cost_satang" bigint;--> statement-breakpoint
ALTER TABLE "package" ADD CONSTRAINT "package_cost" CHECK ("package"."cost_satang" >= 0);--> statement-breakpoint
ALTER TABLE "package" ADD CONSTRAINT "package_automatic" CHECK (NOT "package"."is_automatic" OR ("package"."supplier_sku" IS NOT NULL AND "package"."cost_satang" IS NOT NULL));