//! Makes the statements of a function.

use relax::sinfo::StructInfo;

use super::mistakes;
use super::operators::{candidate, right_call};
use super::types;
use super::writer::{Mistake, Scope, Var, Writer};

/// Makes the lines of a statement; `None` if it cannot be made here.
pub type Lines = Option<Vec<String>>;

impl Writer<'_> {
    /// Makes about `count` statements. Later ones can use the variables of earlier ones.
    pub fn block(&mut self, scope: &mut Scope, count: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..count {
            if let Some(mistake) = self.mistake
                && self.random.chance(30)
            {
                lines.extend(self.mistaken(scope, mistake).unwrap_or_default());
            }
            let params = self.params.len();
            match self.statement(scope) {
                Some(statement) => lines.extend(statement),
                None => self.params.truncate(params),
            }
        }
        lines
    }

    /// Makes the mistake of this program, if it is a statement.
    fn mistaken(&mut self, scope: &mut Scope, mistake: Mistake) -> Lines {
        let lines = match mistake {
            Mistake::Operator => {
                let (op, text) = candidate(self, scope)?;
                self.label = op.script().to_owned();
                let name = self.unused_name("v");
                vec![format!("{name} = {text}")]
            }
            Mistake::Statement => mistakes::statement(self, scope),
            Mistake::Edit => return None,
        };
        self.mistake = None;
        Some(lines)
    }

    fn statement(&mut self, scope: &mut Scope) -> Lines {
        let open = usize::from(!scope.dataflow);
        let shallow = usize::from(scope.depth < 2);
        let impure = usize::from(!scope.pure && !scope.dataflow);
        let kind = self.random.weighted(&[
            (30, 0),
            (6, 1),
            (5, 2),
            (5, 3),
            (6, 4),
            (3, 5),
            (4, 6),
            (2, 7),
            (2, 8),
            (5 * open * shallow, 9),
            (5 * open, 10),
            (6 * shallow, 11),
            (8, 12),
            (4 * impure, 13),
            (3, 14),
        ]);
        match kind {
            0 => {
                let (text, _) = right_call(self, scope)?;
                Some(self.bind(scope, text))
            }
            1 => self.arithmetic(scope),
            2 => self.tuple(scope),
            3 => self.field(scope),
            4 => self.match_cast(scope),
            5 => self.shape(scope),
            6 => self.scalar(scope),
            7 => self.constant(scope),
            8 => {
                let var = self.some_var(scope, |_| true)?;
                Some(self.bind(scope, var.name))
            }
            9 => self.branch(scope),
            10 => self.dataflow(scope),
            11 => self.local_function(scope),
            12 => {
                let text = self.call(scope)?;
                Some(self.bind(scope, text))
            }
            13 => self.effect(scope),
            _ => self.unpack(scope),
        }
    }

    /// Returns `v = text`, sometimes with an annotation. If its value is unknown here, it is not used later.
    pub fn bind(&mut self, scope: &mut Scope, text: String) -> Vec<String> {
        let name = self.unused_name("v");
        let line = format!("{name} = {text}");
        let Some(info) = self.learn(scope, std::slice::from_ref(&line), &[&name]) else {
            return vec![line];
        };
        let mut info = info[0].clone();
        let mut line = line;
        if self.random.chance(20) {
            let annotation = if self.random.chance(50) {
                types::coarser(&mut self.random, &info)
            } else {
                info.clone()
            };
            if let Some(spelled) = self.body_text(&annotation) {
                line = format!("{name}: {spelled} = {text}");
                let annotated = self.learn(scope, std::slice::from_ref(&line), &[&name]);
                info = annotated.map_or(info, |it| it[0].clone());
            }
        }
        scope.vars.push(Var { name, info });
        vec![line]
    }

    /// Returns the result of a function, with its StructInfo if known.
    pub fn result(&mut self, scope: &mut Scope) -> (String, Option<StructInfo>) {
        if self.random.chance(20)
            && let Some((text, info)) = right_call(self, scope)
        {
            return (text, Some(info));
        }
        let one = match scope.vars.last() {
            Some(last) if self.random.chance(60) => last.clone(),
            _ => self.some_tensor(scope),
        };
        if self.random.chance(15) {
            let two = self.some_tensor(scope);
            let fields = vec![one.info.clone(), two.info.clone()];
            return (
                format!("({}, {})", one.name, two.name),
                Some(StructInfo::tuple(fields)),
            );
        }
        (one.name, Some(one.info))
    }

    /// Returns ` -> annotation`, or usually nothing.
    pub fn arrow(&mut self, info: Option<&StructInfo>) -> String {
        let Some(info) = info.filter(|_| self.random.chance(40)) else {
            return String::new();
        };
        let info = if self.random.chance(50) {
            types::coarser(&mut self.random, info)
        } else {
            info.clone()
        };
        let text = self.signature_text(&info);
        text.map_or_else(String::new, |text| format!(" -> {text}"))
    }

    /// Adds the variables of these lines to the scope.
    pub fn reach(&mut self, scope: &mut Scope, lines: &[String], names: Vec<String>) {
        let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(infos) = self.learn(scope, lines, &wanted) {
            let vars = names.into_iter().zip(infos);
            scope
                .vars
                .extend(vars.map(|(name, info)| Var { name, info }));
        }
    }
}
