//! Translates statements: bindings, closures and the branches of an `if`.

use hir::relay::body::{Expr, ExprId, Function, Item, LocalId, LocalKind, Statement};
use relax::relay::Type;
use relax::sinfo::StructInfo;
use smol_str::format_smolstr;

use super::{Untranslated, Value, Writer};

impl Writer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<(), Untranslated> {
        match *statement {
            Statement::Free(_) if matches!(self.body.item, Item::Expr(_)) => Ok(()),
            Statement::Free(local) => Err(Untranslated {
                range: self.body.name_range(local),
                message: "a free variable inside a function".to_owned(),
            }),
            Statement::Effect(value) => {
                let value = self.value(value)?;
                if !value.is_name {
                    self.line_of(&format!("_ = {}", value.text), None);
                }
                Ok(())
            }
            Statement::Binding { local, value } => self.binding(local, value),
        }
    }

    pub(super) fn binding(&mut self, local: LocalId, value: ExprId) -> Result<(), Untranslated> {
        let body = self.body;
        if self.polymorphic(value).is_some() {
            // Its uses refer to instances.
            return Ok(());
        }
        let name = &body[local].name;
        let wanted = match body[local].kind {
            LocalKind::Graph => format_smolstr!("v{}", name.text),
            _ => name.text.clone(),
        };
        let value = if let Expr::Function(function) = &body[value] {
            let name = self.names.unused_name(&wanted);
            let itself = Value {
                text: name.to_string(),
                sinfo: StructInfo::Unknown,
                is_name: true,
                fields: None,
            };
            self.locals.insert(local, itself);
            self.closure(value, &name, function)?
        } else {
            let value = self.value(value)?;
            let from = format!(
                "%{}, line {}",
                name.text,
                (self.line)(self.body.name_range(local).start())
            );
            if value.is_name {
                // An alias of the same value.
                value
            } else {
                let text = self
                    .bind_text(&wanted, &value.text, Some(&from))
                    .to_string();
                Value {
                    text,
                    is_name: true,
                    ..value
                }
            }
        };
        self.locals.insert(local, value);
        let home = self.open.last().copied().unwrap_or_default();
        self.homes.insert(local, home);
        Ok(())
    }

    /// Translates a function literal to a local function.
    pub(super) fn closure(
        &mut self,
        expr: ExprId,
        name: &str,
        function: &Function,
    ) -> Result<Value, Untranslated> {
        let Type::Function(ty) = self.ty(expr) else {
            return self.refuse(expr, "the type of this function is unknown");
        };
        let at = self.body.range(expr);
        let header = self.header(name, &function.params, &ty.ret, at, "")?;
        self.out.push_str(&header);
        self.nested(|it| {
            let value = it.value(function.body)?;
            it.line_of(&format!("return {}", value.text), None);
            Ok(())
        })?;
        Ok(self.plain(expr, name.to_owned()))
    }

    pub(super) fn branches(
        &mut self,
        expr: ExprId,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Result<Value, Untranslated> {
        let condition = self.operand(condition)?;
        let name = self.names.unused_name("branch");
        self.line_of(&format!("if {}:", condition.text), None);
        for (branch, head) in [(then, None), (otherwise, Some("else:"))] {
            if let Some(head) = head {
                self.line_of(head, None);
            }
            self.nested(|it| {
                let value = it.value(branch)?;
                it.line_of(&format!("{name} = {}", value.text), None);
                Ok(())
            })?;
        }
        Ok(self.plain(expr, name.to_string()))
    }
}
